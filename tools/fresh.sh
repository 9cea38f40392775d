#!/usr/bin/env bash
# The road of the README for players, line by line as it stands there, in a Debian that has nothing else.
#
#     sudo tools/fresh.sh [SUITE] [ARCHITECTURE] [TESTS...]     SUITE: bookworm, trixie, sid ...; default: bookworm
#
# Needs root, debootstrap, the network and 2 GB in $TMPDIR; for another architecture than this machine's also
# qemu-user-static, whose emulators the kernel must know (binfmt_misc). With TESTS those run there too, by the Python of
# that suite, from a copy of this checkout: `tools/fresh.sh sid amd64 -m "not slow"`.
set -euo pipefail

suite=${1:-bookworm} architecture=${2:-$(dpkg --print-architecture)}
shift $(($# < 2 ? $# : 2))
checkout=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'umount "$root/proc" "$root/dev/shm" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT

debootstrap --variant=minbase --arch="$architecture" "$suite" "$root" >"$root.log"
rm "$root.log"
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm" "$root/root/optimal"
mount -t tmpfs tmpfs "$root/dev/shm"
cp /etc/resolv.conf "$root/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/trusted.crt" # this machine may reach the package index by a proxy
printf '#!/bin/sh\nexec "$@"\n' >"$root/usr/local/bin/sudo" # who is root has no sudo
chmod +x "$root/usr/local/bin/sudo"
(cd "$checkout" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf -) | tar -xf - -C "$root/root/optimal"

there() {
    chroot "$root" env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin DEBIAN_FRONTEND=noninteractive \
        LANG=C.UTF-8 PIP_CERT=/etc/trusted.crt bash -c "cd ~/optimal && $1" "${@:2}"
}

road=$(sed -n '/^<!-- run by tools\/fresh.sh/,/^```$/p' "$checkout/README.md" | grep -v -e '^<!--' -e '^```')
while IFS= read -r line; do
    echo "\$ $line"
    there "$line" </dev/null
done <<<"$road"
there "~/.optimal/bin/optimal verify classic-normal && ~/.optimal/bin/optimal solve --openers salet"
if [[ $# -gt 0 ]]; then
    there "~/.optimal/bin/pip install -q pytest pytest-xdist hypothesis && ~/.optimal/bin/pip install -q -e . &&
        ~/.optimal/bin/python --version && ~/.optimal/bin/python -m pytest \"\$@\"" bash "$@"
fi
