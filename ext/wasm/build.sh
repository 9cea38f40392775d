#!/bin/sh
# The engine for the page: advisor.c and the headers above, as optimal/page/web/advisor.wasm, or as the file named.
# Needs Debian's clang, lld, wasi-libc and libclang-rt-14-dev-wasm32. The file that ships was made by clang 14.0.6: of the
# same sources it makes the same bytes.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
out=${1:-$folder/../../optimal/page/web/advisor.wasm}
exec clang --target=wasm32-wasi -I/usr/include/wasm32-wasi -L/usr/lib/wasm32-wasi \
    -Oz -msimd128 -std=c11 -DNDEBUG -Wall -Wextra -Wno-unused-function -Wno-unused-parameter -I"$folder/.." \
    -nostartfiles -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=4194304 \
    "$folder/advisor.c" -o "$out"
