# shellcheck shell=sh
# Read by play and check, which set root: makes .venv beside them and installs what is missing.
# All it says goes to stderr, in German or English. Once everything is there it costs a few milliseconds.

venv=${root:?}/.venv

say() { # say GERMAN ENGLISH
    case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in
        de*) printf '%s\n' "$1" >&2 || true ;; # nobody may be there any more to read it
        *) printf '%s\n' "$2" >&2 || true ;;
    esac
}

# What the environment was made for: this folder, this Python, these requirements.
key() {
    echo "$root"
    readlink -f "$venv/bin/python"
    cksum <"$root/pyproject.toml"
}

stands() { [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(key)" ]; }

# set_up EXTRA: when this returns, .venv stands, with that extra of pyproject.toml (test, or none).
set_up() {
    stamp=$venv/set-up${1:+-$1}
    if stands; then return; fi
    exec 9<"$root/pyproject.toml"
    flock 9 # a second start meanwhile waits here, and then finds all done
    if ! stands; then make_environment "$1"; fi
    exec 9<&-
}

make_environment() {
    say "Tabletop Companion richtet sich ein. Das dauert beim ersten Mal ein paar Minuten …" \
        "Tabletop Companion sets itself up. The first time this takes a few minutes …"
    install_packages "$(missing_before)"
    python=$(find_python) || give_up_python
    remove_unusable
    mkdir -p "$venv" || give_up
    true >"$venv/unfinished" || give_up
    if [ ! -x "$venv/bin/python" ]; then make_venv; fi
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$root${1:+[$1]}" >&2 || give_up
    imports 2>/dev/null || install_packages "$(missing_after)"
    imports || give_up
    key >"$venv/set-up"
    key >"$stamp"
    rm "$venv/unfinished"
}

# An environment that was left half-made, has been moved, or whose Python has changed is made anew.
remove_unusable() {
    [ -e "$venv" ] || return 0
    if [ ! -e "$venv/unfinished" ] && "$venv/bin/python" -c '' 2>/dev/null; then
        [ -f "$venv/set-up" ] || return 0 # made by hand
        [ "$(head -n 2 "$venv/set-up")" != "$(key | head -n 2)" ] || return 0
    fi
    rm -rf "$venv" 2>&1 | head -n 1 >&2 # it may name thousands of files
    [ ! -e "$venv" ] || give_up
}

make_venv() {
    if on_pi; then
        "$python" -m venv --system-site-packages "$venv" >&2 || give_up # to see apt's python3-lgpio
    else
        "$python" -m venv "$venv" >&2 || give_up
    fi
}

imports() { PYGAME_HIDE_SUPPORT_PROMPT=1 "$venv/bin/python" -c 'import cv2, gpiozero, pygame, yaml' >&2; }

find_python() { # prints the first Python that will do
    for python in ${PYTHON:-python3 python3.13 python3.12 python3.11 python3.14}; do
        "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null &&
            command -v "$python" && return
    done
    return 1
}

on_pi() { grep -qas 'Raspberry Pi' /proc/device-tree/model; }

# The Debian packages that are missing, as far as can be told before anything is installed.
missing_before() {
    if ! command -v python3 >/dev/null && ! find_python >/dev/null; then
        echo python3 python3-venv
    elif python=$(find_python) && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "$(basename "$python")-venv"
    fi
    if on_pi && ! has_lgpio 2>/dev/null; then echo python3-lgpio; fi
    for library in libGL.so.1 libglib-2.0.so.0; do
        case $(known_libraries) in
            *"$library"*) ;;
            *) package_of "$library" ;;
        esac
    done
}

# PyPI has lgpio up to Python 3.12; for later ones it comes from Raspberry Pi OS. It is looked for and not imported:
# that would leave a pipe in the current folder, and fail where none can be made.
has_lgpio() {
    "$(find_python || echo python3)" -c '
import importlib.util, sys
sys.exit(sys.version_info >= (3, 13) and importlib.util.find_spec("lgpio") is None)'
}

known_libraries() { PATH=$PATH:/usr/sbin:/sbin ldconfig -p; }

# Those that OpenCV still lacks once it is there.
missing_after() {
    for library in $(unresolved_libraries); do
        package_of "$library"
    done | sort -u
}

unresolved_libraries() {
    find "$venv"/lib/python*/site-packages/cv2 -name 'cv2*.so' -exec ldd {} + 2>/dev/null |
        awk '/not found/ { print $1 }' | sort -u
}

package_of() { # package_of LIBRARY: the Debian package that holds it
    case $1 in
        libGL.so.1) echo libgl1 ;;
        libEGL.so.1) echo libegl1 ;;
        libGLX.so.0) echo libglx0 ;;
        libglib-2.0.so.0 | libgthread-2.0.so.0) echo libglib2.0-0 ;;
        libX11.so.6) echo libx11-6 ;;
        libXext.so.6) echo libxext6 ;;
        libSM.so.6) echo libsm6 ;;
        libICE.so.6) echo libice6 ;;
        libxcb.so.1) echo libxcb1 ;;
        libstdc++.so.6) echo libstdc++6 ;;
        libatomic.so.1) echo libatomic1 ;;
        *) say "Für $1 kenne ich kein Debian-Paket." "I know no Debian package for $1." ;;
    esac
}

# install_packages PACKAGES: by apt-get if we may, otherwise say how and end.
install_packages() {
    packages=$(echo "$1" | xargs)
    [ -n "$packages" ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "Es fehlt: $packages" "Missing: $packages"
        exit 1
    fi
    if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then install_by_hand; fi
    say "Installiert wird: $packages" "Installing: $packages"
    log=$(mktemp)
    if ! apt_install >"$log" 2>&1 </dev/null; then
        cat "$log" >&2
        rm "$log"
        install_by_hand
    fi
    rm "$log"
}

apt_install() {
    as_root apt-get update || return 1
    # shellcheck disable=SC2086  # several packages
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

install_by_hand() {
    say "Es fehlen Systempakete. Bitte einmal dies ausführen und dann neu starten:" \
        "System packages are missing. Please run this once, and then start again:"
    printf '\n    sudo apt-get install -y %s\n\n' "$packages" >&2
    exit 1
}

give_up_python() {
    say "Es wird Python 3.11 bis 3.14 gebraucht; gefunden: $(python3 --version 2>&1). Dabei ist es bei Raspberry Pi OS ab Bookworm, Debian ab 12 und Ubuntu ab 24.04." \
        "Python 3.11 to 3.14 is needed; found: $(python3 --version 2>&1). Raspberry Pi OS from Bookworm on has it, Debian from 12 on, and Ubuntu from 24.04 on."
    exit 1
}

give_up() {
    say "Das Einrichten ist nicht gelungen (Grund: siehe oben). Ist das Netz da, und Platz in $root? Gehört dieser Ordner deinem Benutzer? Ein neuer Start versucht es noch einmal." \
        "Setting up has failed (see above for the reason). Is the network there, and room in $root? Does that folder belong to your user? Starting again tries again."
    exit 1
}
