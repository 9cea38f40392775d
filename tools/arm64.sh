#!/usr/bin/env bash
# The engine on another processor, under emulation: built here by a cross compiler, run there by qemu.
#
#     sudo tools/arm64.sh [arm64|s390x] [TESTS...]
#
# Downloads Debian's Python, numpy and msgpack for that processor into a folder of its own, builds the modules for it, runs
# the tests of the engine (or TESTS, as pytest takes them) and solves three games there and here: their trees must have
# the same bytes. s390x has the high byte first. By hand, for it takes long; benchmarks/README.md has what came of it.
#
# Needs root, the network, 2 GB in $TMPDIR, this checkout built for the `python` that is found first, and of Debian:
# debootstrap, qemu-user-static, and gcc-aarch64-linux-gnu or gcc-s390x-linux-gnu with its libc6-dev-...-cross.
set -euo pipefail

processor=${1:-arm64}
shift $(($# < 1 ? $# : 1))
case $processor in
arm64) machine=aarch64 ;;
s390x) machine=s390x ;;
*) echo "arm64.sh: arm64 or s390x, not $processor" >&2 && exit 2 ;;
esac
tests=(tests/engine/test_signature.py tests/engine/test_engine.py tests/games/test_feedback.py
    tests/engine/test_similarity.py tests/engine/test_slices.py tests/engine/test_subsets.py tests/engine/test_supersets.py)
[[ $# -eq 0 ]] || tests=("$@")
triple=$machine-linux-gnu
checkout=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'umount "$root/proc" "$root/dev/shm" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT

# qemu-user-static tells the kernel of its emulators as it is installed, where the kernel can be told then.
known=/proc/sys/fs/binfmt_misc
if [[ ! -e $known/qemu-$machine ]]; then
    [[ -e $known/register ]] || mount -t binfmt_misc binfmt_misc $known
    cat "/usr/lib/binfmt.d/qemu-$machine.conf" 2>/dev/null >$known/register || true # it may know already
fi

echo "== Debian for $processor"
debootstrap --arch="$processor" --foreign --variant=minbase \
    --include=python3,libpython3.11-dev,python3-numpy,python3-msgpack bookworm "$root" >/dev/null
for package in "$root"/var/cache/apt/archives/*.deb; do # not installed, which emulation makes slow: only unpacked
    dpkg-deb --fsys-tarfile "$package" | tar -xf - -C "$root" --keep-directory-symlink
done
mkdir -p "$root/proc" "$root/dev/shm" "$root/work" "$root/pure"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev/shm"
python -m pip install --quiet --target "$root/pure" --platform any --python-version 3.11 --only-binary=:all: \
    "joblib>=1.5" rich pytest pytest-xdist hypothesis

echo "== the modules, by $triple-gcc"
cd "$checkout"
git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$root/work"
cd "$root/work"
for source in ext/optimal/*.pyx; do
    name=$(basename "$source" .pyx)
    python -m cython -3 -I ext -X boundscheck=False,wraparound=False,initializedcheck=False,cdivision=True \
        --module-name "optimal.$name" -o "ext/$name.c" "$source"
    "$triple-gcc" -O2 -g0 -fno-math-errno -w -DNDEBUG -shared -fPIC -Iext -I"$root/usr/include/python3.11" \
        -idirafter "$root/usr/include" "ext/$name.c" -o "optimal/$name.cpython-311-$triple.so"
done

there() {
    chroot "$root" env -i HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 PYTHONPATH=/work:/pure \
        LD_LIBRARY_PATH="/usr/lib/$triple/blas:/usr/lib/$triple/lapack" \
        /bin/sh -c 'cd /work && exec /usr/bin/python3.11 "$@"' sh "$@"
}
there -c 'import platform, sys, numpy; print(platform.machine(), sys.version.split()[0], "numpy", numpy.__version__, sys.byteorder)'

echo "== three trees"
for asked in "classic --openers salet" "classic --rules hard --openers salet" mastermind; do
    # shellcheck disable=SC2086 # words of a command
    there -m optimal solve $asked --output there.msgpack --json | cut -c1-60
    # shellcheck disable=SC2086
    (cd "$checkout" && python -m optimal solve $asked --output "$root/here.msgpack" --json >/dev/null)
    cmp "$root/work/there.msgpack" "$root/here.msgpack" && echo "$asked: the same bytes"
done

echo "== tests"
there -m pytest -p no:cacheprovider -n 2 "${tests[@]}"
