#!/bin/sh
# Installs the companion on a Raspberry Pi, updates it, goes back to the version before, or removes it. See --help.
#
# There are two places for versions, a and b, each with its own environment, and one link, `current`. An update is
# made in the other place while the running version runs; then the link is switched, and back if the new one fails.
set -eu
umask 022

source=$(dirname "$(dirname "$(readlink -f "$0")")")
DESTDIR=${DESTDIR:-} # for the tests: a folder that stands for the whole machine
base=$DESTDIR/opt/tabletop-companion
etc=$DESTDIR/etc/tabletop-companion
data=$DESTDIR/var/lib/tabletop-companion
console_unit=$DESTDIR/etc/systemd/system/tabletop-companion.service
desktop_unit=$DESTDIR/etc/systemd/user/tabletop-companion.service
autostart=$DESTDIR/etc/xdg/autostart/tabletop-companion.desktop
menu=$DESTDIR/usr/local/share/applications/tabletop-companion.desktop
rules=$DESTDIR/etc/polkit-1/rules.d/50-tabletop-companion.rules
command=$DESTDIR/usr/local/bin/companion

root=$source
# shellcheck source=.ci/setup.sh
. "$source/.ci/setup.sh"

usage() {
    say "Aufruf: sudo [VARIABLE=WERT …] systemd/install.sh [--rollback | --uninstall [--purge] | --help]
  ohne          installiert diese Version oder bringt die installierte auf ihren Stand; Einstellungen und Daten bleiben
  --rollback    zurück zur Version davor
  --uninstall   entfernt das Programm; Einstellungen und Daten bleiben, mit --purge gehen auch sie
Variablen: COMPANION_SCREEN=console|desktop (sonst selbst erkannt), COMPANION_USER (wem der Desktop gehört),
COMPANION_START=no (nichts starten), und alle von pip (PIP_INDEX_URL …)" \
        "Usage: sudo [VARIABLE=VALUE ...] systemd/install.sh [--rollback | --uninstall [--purge] | --help]
  without       installs this version, or updates the one that is installed; settings and data stay
  --rollback    goes back to the version before
  --uninstall   removes the program; settings and data stay, and go as well with --purge
Variables: COMPANION_SCREEN=console|desktop (else found out), COMPANION_USER (whose desktop it is),
COMPANION_START=no (start nothing), and all those of pip (PIP_INDEX_URL ...)"
}

fail() { # fail GERMAN ENGLISH
    say "$@"
    exit 1
}

main() {
    case ${1:-} in
        --help | -h) usage 2>&1; exit 0 ;;
        "" | --rollback) if [ $# -gt 1 ]; then usage; exit 2; fi ;;
        --uninstall) case ${2:-} in "" | --purge) ;; *) usage; exit 2 ;; esac ;;
        *) usage; exit 2 ;;
    esac
    check_machine
    player=$(desktop_user) # before the folder of the data may get another owner
    case ${1:-} in
        --rollback) take_installed; roll_back ;;
        --uninstall) uninstall "${2:-}" ;;
        *) choose_screen; install_or_update ;;
    esac
}

# The machine

check_machine() {
    [ "$(id -u)" = 0 ] ||
        fail "Das braucht Verwaltungsrechte: sudo $0" "This needs an administrator's rights: sudo $0"
    for tool in apt-get dpkg systemctl; do
        command -v "$tool" >/dev/null || fail "Es fehlt: $tool. Dies ist für Raspberry Pi OS und Debian." \
            "Missing: $tool. This is for Raspberry Pi OS and Debian."
    done
    case $(dpkg --print-architecture) in
        arm64 | amd64) ;;
        *) fail "Dies ist ein 32-Bit-System. Bitte Raspberry Pi OS mit 64 Bit auf die Karte schreiben (Bookworm oder Trixie)." \
            "This is a 32-bit system. Please write Raspberry Pi OS with 64 bits to the card (Bookworm or Trixie)." ;;
    esac
    mkdir -p "$base"
    exec 8<"$base"
    flock -n 8 || fail "Ein anderes install.sh läuft gerade." "Another install.sh is running."
}

# Where it is shown: on the console, by a service of the system, or on a desktop, by one of its user.
choose_screen() {
    screen=${COMPANION_SCREEN:-$(installed_screen)}
    [ -n "$screen" ] || { has_desktop && screen=desktop; } || screen=console
    case $screen in
        console)
            if has_desktop; then
                fail "Hier startet ein Desktop, der den Bildschirm braucht. Auf ihm: sudo COMPANION_SCREEN=desktop $0   Ohne ihn: sudo raspi-config nonint do_boot_behaviour B1" \
                    "A desktop starts here, which needs the screen. To use it: sudo COMPANION_SCREEN=desktop $0   To do without: sudo raspi-config nonint do_boot_behaviour B1"
            fi
            user=companion ;;
        desktop)
            user=${COMPANION_USER:-$player}
            if [ -z "$user" ] || [ "$user" = root ] || ! id "$user" >/dev/null 2>&1; then
                fail "Wem gehört der Desktop? Bitte sagen: sudo COMPANION_USER=NAME $0" \
                    "Whose desktop is it? Please say so: sudo COMPANION_USER=NAME $0"
            fi ;;
        *) usage; exit 2 ;;
    esac
}

take_installed() {
    screen=$(installed_screen)
    if [ "$screen" = desktop ]; then user=$player; else user=companion; fi
}

installed_screen() {
    if [ -e "$console_unit" ]; then echo console; elif [ -e "$desktop_unit" ]; then echo desktop; fi
}

has_desktop() {
    [ "$(systemctl get-default 2>/dev/null)" = graphical.target ] &&
        [ -e "$DESTDIR/etc/systemd/system/display-manager.service" ]
}

# Whoever has used it on a desktop; the user of the service never logs in.
desktop_user() {
    owner=companion
    if [ -d "$data" ]; then owner=$(stat -c %U "$data"); fi
    if [ "$owner" != companion ]; then echo "$owner"; else echo "${SUDO_USER:-$(getent passwd 1000 | cut -d: -f1)}"; fi
}

# What Raspberry Pi OS lacks for it. Everything else of Python comes from pip, as for ./play.
install_system_packages() {
    lacking=
    for package in python3-venv polkitd alsa-utils v4l-utils libgl1 libegl1 libgles2 libgbm1 libgl1-mesa-dri; do
        has_package "$package" || lacking="$lacking $package"
    done
    if on_pi && ! command -v rpicam-vid >/dev/null && apt-cache show rpicam-apps-lite >/dev/null 2>&1; then
        lacking="$lacking rpicam-apps-lite"
    fi
    install_packages "$lacking"
}

has_package() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# The group may switch the machine off (see the rules); the others lead to the devices.
make_user() {
    getent group companion >/dev/null || groupadd --system companion
    if [ "$screen" = console ] && ! id "$user" >/dev/null 2>&1; then
        useradd --system --gid companion --home-dir /var/lib/tabletop-companion --no-create-home \
            --shell /usr/sbin/nologin companion
    fi
    for group in companion video render input audio gpio; do
        if getent group "$group" >/dev/null && ! id -nG "$user" | tr ' ' '\n' | grep -qxF "$group"; then
            usermod -aG "$group" "$user"
        fi
    done
}

make_folders() {
    mkdir -p "$etc" "$data"
    if find "$data" -exec stat -c %U {} + | grep -qvxF "$user"; then # it is new, or was put back by somebody else
        chmod 0750 "$data"
        chown -R "$user:companion" "$data"
    fi
}

# Versions

current() { readlink "$base/current" || true; }
other() { if [ "$(current)" = a ]; then echo b; else echo a; fi; }
whole() { [ -f "$base/$1/whole" ] && "$base/$1/.venv/bin/companion" --version >/dev/null 2>&1; }

# The extra of pyproject.toml that the configuration wants, or nothing.
extra() { if grep -Eiqs '^enabled *: *(true|yes|on)\b' "$etc/mqtt.yaml"; then echo mqtt; fi; }

# The parts of a version, and a number that is another one when anything in them is.
parts() { echo companion hardware assets config systemd pyproject.toml README.md LICENSE .ci/setup.sh; }
fingerprint() {
    (
        cd "$source"
        # shellcheck disable=SC2046  # several parts
        {
            find $(parts) -type f ! -path '*/__pycache__/*' -exec sha256sum {} + | LC_ALL=C sort
            extra
        } | sha256sum | cut -c 1-16
    )
}

# make_version PLACE: copy this version there and make its environment; `whole` is its last file.
make_version() {
    rm -rf "${base:?}/$1" && mkdir -p "$base/$1" || return 1
    # shellcheck disable=SC2046  # several parts
    (cd "$source" && cp -R --parents $(parts) "$base/$1") || return 1
    find "$base/$1" -name __pycache__ -prune -exec rm -rf {} + && chmod -R u=rwX,go=rX "$base/$1" || return 1
    (
        root=$base/$1 venv=$base/$1/.venv
        # /tmp may be memory, and little; a wheel of 60 MB in pip's cache takes as much again
        export TMPDIR="$DESTDIR/var/tmp" PIP_NO_CACHE_DIR=1
        mkdir -p "$TMPDIR"
        set_up "$(extra)"
        "$venv/bin/companion" --version >/dev/null || give_up
        "$venv/bin/python" -m compileall -q "$root/companion" "$root/hardware" >&2
    ) || return 1
    sync && fingerprint >"$base/$1/whole"
}

# put FILE TARGET MODE: copy it there unless it is there.
put() {
    if cmp -s "$1" "$2"; then return; fi
    mkdir -p "$(dirname "$2")"
    cp "$1" "$2.new"
    chmod "$3" "$2.new"
    mv "$2.new" "$2"
    changed=yes
}

# put_files PLACE: what lies outside of the versions, as this version has it.
put_files() {
    put "$base/$1/systemd/companion" "$command" 755
    put "$base/$1/systemd/tabletop-companion.rules" "$rules" 644
    if [ "$screen" = console ]; then
        put "$base/$1/systemd/tabletop-companion.service" "$console_unit" 644
        if [ -e "$desktop_unit" ]; then desktop_service "$player" stop || true; fi
        rm -f "$desktop_unit" "$autostart" "$menu"
    else
        put "$base/$1/systemd/desktop/tabletop-companion.service" "$desktop_unit" 644
        put "$base/$1/systemd/desktop/tabletop-companion.desktop" "$autostart" 644
        put "$base/$1/systemd/desktop/tabletop-companion.desktop" "$menu" 644
        if [ -e "$console_unit" ]; then leave_console; fi
        rm -f "$console_unit"
    fi
}

# put_configuration OLD NEW: files that nobody has changed since OLD become those of NEW; what was changed stays.
# Without an OLD it is not known what was changed: whatever is another file stays.
put_configuration() {
    (cd "$base/$2/config" && find . -name '*.yaml') | while read -r file; do
        mine=$etc/$file old=${1:+$base/$1/config/$file} new=$base/$2/config/$file
        if [ ! -e "$mine" ] || cmp -s "$mine" "$old" || cmp -s "$mine" "$new"; then
            put "$new" "$mine" 644
            rm -f "$mine.new"
        elif ! cmp -s "$old" "$new"; then
            say "Behalten, weil geändert: $mine. Die neue Fassung liegt daneben: $mine.new" \
                "Kept, because it was changed: $mine. The new one lies beside it: $mine.new"
            cp "$new" "$mine.new"
        fi
    done
}

# Data that a newer version has changed may be unreadable to an older one. So each version leaves a copy when it is
# left, in its own place, and takes that back if it cannot read what it finds.
leave_data() {
    if rm -rf "$base/$1/left" && mkdir -m 0700 "$base/$1/left" &&
        find "$data" -maxdepth 1 -name 'companion.db*' ! -name '*.newer*' ! -name '*.damaged-*' \
            -exec cp -p -t "$base/$1/left" {} +; then return; fi
    rm -rf "$base/$1/left" # the disk is full, most likely
    fail "Nichts wurde geändert." "Nothing was changed."
}

take_data() {
    if [ ! -e "$base/$1/left/companion.db" ] || reads_data "$1"; then return; fi
    rm -rf "$data/left"
    cp -pR "$base/$1/left" "$data/left" || { rm -rf "$data/left"; exit 1; } # all of it, or nothing is moved
    aside=newer
    if [ -e "$data/companion.db.$aside" ]; then aside=newer-$(date +%Y%m%d-%H%M%S); fi
    say "Diese Version kann die neueren Daten nicht lesen; es gilt der Stand vor dem Update." \
        "This version cannot read the newer data; those from before the update are used."
    for file in "$data/companion.db-wal" "$data/companion.db-shm" "$data/companion.db"; do
        if [ -e "$file" ]; then mv "$file" "$file.$aside"; fi
    done
    mv "$data/left/"companion.db* "$data/"
    rmdir "$data/left"
}

# How what was set aside comes back. What was used until then moves to a folder, with its logs: SQLite would take
# these for those of the other store.
say_newer() {
    if [ "$screen" = console ]; then control="sudo systemctl"; else control="systemctl --user"; fi
    older=older-$(date +%Y%m%d-%H%M%S)
    for newer in "$data/"companion.db.newer*; do
        if [ ! -e "$newer" ]; then continue; fi
        say "Was mit einer neueren Version gespielt wurde, liegt in $newer. Ist diese wieder installiert, kommt es so zurück; was bis dahin galt, liegt dann in $data/$older:" \
            "What was played with a newer version lies in $newer. Once that version is installed again it comes back like this; what was used until then lies in $data/$older afterwards:"
        printf '\n    %s stop tabletop-companion; sudo sh -c "%s"; %s start tabletop-companion\n\n' "$control" \
            "cd $data && mkdir $older && mv companion.db* $older && mv $older/*.newer* . && mv ${newer##*/} companion.db" \
            "$control" >&2
    done
}

reads_data() {
    runuser -u "$user" -- env COMPANION_CONFIG="$etc" COMPANION_DATA="$data" \
        "$base/$1/.venv/bin/companion" games >/dev/null 2>&1
}

# enter PLACE: everything becomes that version; the link is switched in one step.
enter() {
    from=$(current)
    if [ -n "$from" ]; then
        service stop || true
        # one that has failed is never gone back to
        if [ -e "$base/$from/whole" ]; then leave_data "$from"; fi
    fi
    put_configuration "$from" "$1"
    take_data "$1"
    say_newer
    put_files "$1"
    ln -sfn "$1" "$base/current.new"
    mv -T "$base/current.new" "$base/current"
    sync
}

# The service

live() { [ -d "$DESTDIR/run/systemd/system" ] && [ "${COMPANION_START:-yes}" != no ]; }

service() { # service VERB
    live || return 0
    if [ "$screen" = console ]; then systemctl "$1" tabletop-companion; else desktop_service "$user" "$1"; fi
}

desktop_service() { # desktop_service USER VERB
    live || return 0
    if [ -d "$DESTDIR/run/user/$(id -u "$1")" ]; then systemctl --user --machine="$1@.host" "$2" tabletop-companion; fi
}

leave_console() { systemctl disable --now --quiet tabletop-companion || true; }

# Whether nothing has to be started: on a desktop its user decides that.
runs() { [ "$screen" = desktop ] || ! live || systemctl is-active --quiet tabletop-companion; }

# Returns when the first picture has been drawn (Type=notify), or with an error.
start() {
    if [ "$screen" = console ]; then
        systemctl enable --quiet tabletop-companion
    fi
    live || return 0
    if [ "$screen" = console ]; then
        systemctl daemon-reload
        systemctl reset-failed tabletop-companion 2>/dev/null || true
        if ! grep -qsx connected "$DESTDIR"/sys/class/drm/card*-*/status; then
            say "Kein Bildschirm ist an: bitte einschalten, darauf wird gewartet." \
                "No screen is on: please switch one on, it is waited for."
        fi
        service restart
    elif [ -d "$DESTDIR/run/user/$(id -u "$user")" ]; then
        systemctl --user --machine="$user@.host" daemon-reload
        if [ -n "${from:-}" ]; then service restart; fi
    fi
}

say_how_it_starts() {
    if [ "$screen" = desktop ]; then
        say "Es startet, sobald sich $user am Desktop anmeldet, und aus dem Menü (Spiele)." \
            "It starts when $user logs in to the desktop, and from the menu (games)."
    elif live; then
        say "Es läuft und startet von nun an mit dem Rechner." "It runs and starts with the machine from now on."
    else
        say "Es startet mit dem Rechner." "It starts with the machine."
    fi
    say "Einstellungen: $etc   Daten: $data   Prüfen: companion --help" \
        "Settings: $etc   Data: $data   Look after it: companion --help"
}

why() { if [ "$screen" = console ]; then echo "journalctl -u tabletop-companion -b"; else echo "journalctl -b --user-unit=tabletop-companion"; fi; }

# What is asked for

install_or_update() {
    changed=
    install_system_packages
    make_user
    make_folders
    now=$(current)
    if [ -n "$now" ] && whole "$now" && [ "$(cat "$base/$now/whole")" = "$(fingerprint)" ]; then
        put_configuration "$now" "$now"
        put_files "$now"
        if [ -n "$changed" ] || ! runs; then from=$now; start || not_started "$now"; fi
        say "Diese Version ist schon installiert." "This version is installed already."
        return
    fi
    new=$(other)
    say "Die neue Version wird vorbereitet; was läuft, läuft weiter. Auf einem kleinen Pi dauert das einige Minuten." \
        "The new version is prepared; what runs goes on. On a small Pi this takes some minutes."
    make_version "$new" || fail "Nichts wurde geändert." "Nothing was changed."
    switch "$new"
    say_how_it_starts
}

roll_back() {
    changed=
    before=$(other)
    if [ -z "$screen" ] || [ -z "$(current)" ] || ! whole "$before"; then
        fail "Es gibt keine Version davor." "There is no version before."
    fi
    switch "$before"
    say "Die Version davor ist zurück; mit --rollback geht es wieder vor." \
        "The version before is back; --rollback goes forward again."
}

# switch PLACE: go there, and back if it does not start.
switch() {
    trap 'service start || true' EXIT # an error in between leaves whatever the link shows running
    trap 'exit 1' INT TERM
    trap '' HUP # the screen becomes the companion's, or the connection is lost: it goes on, and back if need be
    if [ "$(tty || true)" = /dev/tty1 ] && [ "$screen" = console ] && live; then
        say "Dieser Bildschirm gehört nun dem Companion. Anmelden kann man sich mit Strg+Alt+F2 oder über das Netz." \
            "This screen is the companion's now. Log in with Ctrl+Alt+F2, or over the network."
    fi
    enter "$1"
    if start; then
        : >"$base/$1/ran"
        trap - EXIT
        return
    fi
    go_back "$1"
}

# not_started PLACE: what has run before it was installed once more will run again, as soon as its screen is there.
not_started() { if [ -e "$base/$1/ran" ]; then fail_to_start; else go_back "$1"; fi; }

# go_back PLACE: it gives way to the version before.
go_back() {
    trap - EXIT
    before=$(other)
    if ! whole "$before"; then fail_to_start; fi
    say "Die Version startet nicht (warum: $(why)). Zurück zu der, die lief." \
        "The version does not start (for the reason: $(why)). Back to the one that ran."
    mv "$base/$1/whole" "$base/$1/fails"
    trap 'service start || true' EXIT
    enter "$before"
    trap - EXIT
    start || fail_to_start
    exit 1
}

fail_to_start() {
    fail "Installiert, aber es startet nicht. Ist der Bildschirm angeschlossen? Warum, sagt: $(why)" \
        "Installed, but it does not start. Is the screen connected? The reason is told by: $(why)"
}

uninstall() {
    take_installed
    if [ "$screen" = console ]; then
        leave_console
        if live; then systemctl start getty@tty1.service || true; fi # which had given way
    elif [ "$screen" = desktop ]; then
        service stop || true
    fi
    rm -f "$console_unit" "$desktop_unit" "$autostart" "$menu" "$rules" "$command"
    rm -rf "${base:?}"
    if live; then systemctl daemon-reload; fi
    if [ "$1" != --purge ]; then
        say "Entfernt. Einstellungen ($etc) und Daten ($data) sind noch da; --uninstall --purge entfernt auch sie." \
            "Removed. Settings ($etc) and data ($data) are still there; --uninstall --purge removes them as well."
        return
    fi
    rm -rf "${etc:?}" "${data:?}"
    if id companion >/dev/null 2>&1; then userdel companion || true; fi
    if getent group companion >/dev/null; then groupdel companion || true; fi
    say "Alles ist entfernt." "Everything has been removed."
}

main "$@"
