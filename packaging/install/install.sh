#!/bin/sh
# Installs acreta {{version}} for this user, without root: one program, in ~/.local/bin or with --to DIR in DIR.
# The archive is checked against the sum below before it is unpacked. `--uninstall` removes what this installed.
set -eu

VERSION="{{version}}"
URL="${ACRETA_DOWNLOAD_URL:-{{download}}}"
# Where `acreta self update` looks for later versions.
LATEST="${ACRETA_DOWNLOAD_URL:-{{latest}}}"
# Who installed which program.
RECEIPT="${ACRETA_HOME:-$HOME/.acreta}/install.json"

main() {
    to="${ACRETA_INSTALL_DIR:-${XDG_BIN_HOME:-$HOME/.local/bin}}"
    task=install
    while [ $# -gt 0 ]; do
        case "$1" in
            --to) [ $# -ge 2 ] || fail "--to needs a folder"; to="$2"; shift ;;
            --uninstall) task=uninstall ;;
            --help) help; return ;;
            *) help >&2; fail "unknown option \`$1\`" ;;
        esac
        shift
    done
    "$task"
}

help() {
    cat <<END
Usage: install.sh [--to DIR] [--uninstall]

  --to DIR     Folder of the program (ACRETA_INSTALL_DIR; now $to)
  --uninstall  Disconnect the agents, stop the daemon, remove the program

ACRETA_DOWNLOAD_URL names another place with the archives (now $URL).
END
}

install() {
    case "$(uname -s) $(uname -m)" in
        "Linux x86_64") target=x86_64-unknown-linux-musl sum={{sha256_linux_x64}} ;;
        "Linux aarch64" | "Linux arm64") target=aarch64-unknown-linux-musl sum={{sha256_linux_arm64}} ;;
        "Darwin arm64") target=aarch64-apple-darwin sum={{sha256_darwin_arm64}} ;;
        "Darwin x86_64") target=x86_64-apple-darwin sum={{sha256_darwin_x64}} ;;
        *) fail "there is no archive for $(uname -s) $(uname -m); on Windows use install.ps1" ;;
    esac
    name="acreta-$VERSION-$target"
    mkdir -p "$to" || fail "cannot create \`$to\`; choose another folder with --to"
    # Beside the program, so that it is moved into place within one file system.
    scratch="$(mktemp -d "$to/.acreta-install.XXXXXX")" || fail "cannot write to \`$to\`; choose another folder with --to"
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 1' HUP INT TERM
    archive="$scratch/$name.tar.xz"
    download "$URL/$name.tar.xz" "$archive"
    found="$(digest "$archive")"
    [ "$found" = "$sum" ] || fail "the checksum of $name.tar.xz is wrong; nothing was installed
  expected $sum
  found    $found"
    tar -xJf "$archive" -C "$scratch" || fail "\`tar\` could not unpack $name.tar.xz; is \`xz\` installed?"
    chmod 755 "$scratch/$name/acreta"
    "$scratch/$name/acreta" --version >/dev/null || fail "the program does not run on this system; nothing was installed"
    mv -f "$scratch/$name/acreta" "$to/acreta"
    record
    echo "installed acreta $VERSION: $to/acreta"
    echo "  from $URL/$name.tar.xz, sha256 $sum"
    other="$(command -v acreta || true)"
    if [ -z "$other" ]; then
        echo "  $to is not on your path: add it in your shell's profile, export PATH=\"$to:\$PATH\""
    elif [ "$other" != "$to/acreta" ]; then
        echo "  your shell finds another one first: $other"
    fi
    echo "next: \`acreta init\` in a repository; later \`acreta self update\`. To remove it: this script with --uninstall"
}

record() {
    (
        umask 077
        mkdir -p "${RECEIPT%/*}"
        printf '{"program": "%s", "version": "%s", "url": "%s"}\n' \
            "$(quote "$(cd "$to" && pwd)/acreta")" "$VERSION" "$(quote "$LATEST")" >"$RECEIPT"
    ) || echo "  note: \`$RECEIPT\` could not be written, so \`acreta self update\` will not work" >&2
}

quote() {
    printf '%s' "$1" | sed 's/["\\]/\\&/g'
}

uninstall() {
    [ -f "$to/acreta" ] || fail "there is no acreta in \`$to\`; name its folder with --to"
    "$to/acreta" init --undo || fail "the agents could not be disconnected; nothing was removed"
    "$to/acreta" down || true
    rm "$to/acreta"
    rm -f "$RECEIPT"
    echo "removed $to/acreta"
    echo "  kept: ~/.acreta (archived sessions, settings), memory in your repositories (.acreta), and the cache"
}

download() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$2" "$1" || fail "could not download $1"
    elif command -v wget >/dev/null; then
        wget --quiet --output-document="$2" "$1" || fail "could not download $1"
    else
        fail "neither \`curl\` nor \`wget\` is installed"
    fi
}

digest() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1" | cut -d ' ' -f 1
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1" | cut -d ' ' -f 1
    else
        fail "neither \`sha256sum\` nor \`shasum\` is installed"
    fi
}

fail() {
    echo "error: $*" >&2
    exit 1
}

main "$@"
