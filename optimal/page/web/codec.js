// From the text in the page to the data of a tree file: base64, then msgpack, as docs/reference/tree-file.md has it.

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

// One msgpack value of the kinds that a tree file holds. Integers are exact up to 2^53.
function unpack(bytes) {
  const utf8 = new TextDecoder();
  let at = 0;

  function number(size) {
    let found = 0;
    for (let i = 0; i < size; i++) found = found * 256 + bytes[at++];
    return found;
  }

  function take(size) {
    at += size;
    return bytes.subarray(at - size, at);
  }

  const text = (size) => utf8.decode(take(size));
  const array = (size) => Array.from({ length: size }, value);
  const map = (size) => new Map(Array.from({ length: size }, () => [value(), value()]));

  function value() {
    const tag = bytes[at++];
    if (tag < 0x80) return tag;
    if (tag < 0x90) return map(tag & 0x0f);
    if (tag < 0xa0) return array(tag & 0x0f);
    if (tag < 0xc0) return text(tag & 0x1f);
    switch (tag) {
      case 0xc0: return null;
      case 0xc4: return take(number(1));
      case 0xc5: return take(number(2));
      case 0xc6: return take(number(4));
      case 0xcc: return number(1);
      case 0xcd: return number(2);
      case 0xce: return number(4);
      case 0xcf: return number(8);
      case 0xd9: return text(number(1));
      case 0xda: return text(number(2));
      case 0xdb: return text(number(4));
      case 0xdc: return array(number(2));
      case 0xdd: return array(number(4));
      case 0xde: return map(number(2));
      case 0xdf: return map(number(4));
    }
    throw new Error(`no tree file has msgpack type ${tag}`);
  }

  return value();
}

// Whether bytes have this checksum, where the browser can tell.
async function isWhole(bytes, sha256) {
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", bytes);
  return !digest || hex(new Uint8Array(digest)) === sha256;
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
