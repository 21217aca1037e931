#!/bin/bash
# Builds the emulated board (README.md) from nothing: as root, on a Debian of amd64. Once more: only what has changed.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
board=${BOARD:-${XDG_CACHE_HOME:-$HOME/.cache}/tabletop-companion/board}
mirror=${MIRROR:-http://deb.debian.org}
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
export QEMU_CPU=cortex-a72 # what qemu-user takes by itself computes signatures for every call: many times slower

tools=(qemu-system-arm qemu-utils qemu-user-static binfmt-support mmdebstrap arch-test device-tree-compiler e2fsprogs
    kmod make gcc libc6-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross bc bison flex libssl-dev libelf-dev dwarves swig
    xz-utils python3-pip)
# What Raspberry Pi OS Lite has, as far as it matters, with what install.sh asks apt for: the board has no network.
packages=(linux-image-arm64 systemd-sysv udev dbus kmod procps python3 python3-venv polkitd alsa-utils v4l-utils libgl1
    libegl1 libgles2 libgbm1 libgl1-mesa-dri libglib2.0-0t64
    qemu-guest-agent python3-evdev) # these two are for the tests
sources=(linux-source-6.12 v4l2loopback-dkms libpython3.13-dev)

step_tools() { # on this machine: the only step that leaves $board
    local missing=() tool
    for tool in "${tools[@]}"; do dpkg -s "$tool" >/dev/null 2>&1 || missing+=("$tool"); done
    if [ ${#missing[@]} -gt 0 ]; then
        apt-get update -q && apt-get install -qy --no-install-recommends "${missing[@]}"
    fi
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64
}

step_root() { # Debian with its own kernel; what is compiled here is fetched by the same apt
    rm -rf --one-file-system "$board/root" "$board/debs" && mkdir "$board/debs"
    local key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
    mmdebstrap --variant=minbase --arch=arm64 --include="$(IFS=,; echo "${packages[*]}")" \
        --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Check-Valid-Until "false"' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
        --essential-hook='mkdir -p "$1/etc/initramfs-tools/conf.d"' \
        --essential-hook='echo MODULES=list >"$1/etc/initramfs-tools/conf.d/board"' \
        --essential-hook='printf "%s\n" virtio_pci virtio_blk ext4 >"$1/etc/initramfs-tools/modules"' \
        --customize-hook="cd '$board/debs' && APT_CONFIG=\$MMDEBSTRAP_APT_CONFIG apt-get -q -o APT::Sandbox::User=root \
            download ${sources[*]} linux-headers-\$(ls \"\$1/usr/lib/modules\")" \
        trixie "$board/root" "deb $key $mirror/debian trixie main" "deb $key $mirror/debian-security trixie-security main"
}

version() { ls "$board/root/usr/lib/modules"; }
unpack() { dpkg-deb --fsys-tarfile "$board/debs/$1"_*.deb | tar -x -C "$board/kernel"; }

step_modules() { # what Debian's kernel lacks: pins that are moved from outside, and a camera that shows what it is given
    local kernel=$board/kernel out=$board/kernel/out mod=$board/kernel/mod version package
    version=$(version)
    rm -rf "$kernel" && mkdir -p "$out" "$mod/v4l2loopback" "$kernel/source"
    for package in "linux-headers-$version" linux-source-6.12 v4l2loopback-dkms; do unpack "$package"; done
    tar -x -f "$kernel"/usr/src/linux-source-6.12.tar.xz -C "$kernel/source" --strip-components=1 \
        --exclude='*.rst' --exclude='*.dts*' --exclude='*/tools/testing/*' --exclude='*/sound/*.[ch]' \
        --exclude='*/drivers/'{gpu,net,media,staging}'/*.[ch]'
    cp "$kernel/usr/src/linux-headers-$version"/{.config,Module.symvers} "$out"
    cp "$kernel"/source/{drivers/gpio/gpio-sim.c,kernel/irq/irq_sim.c} "$mod"
    cp "$kernel"/usr/src/v4l2loopback-*/*.[ch] "$mod/v4l2loopback"
    printf '%s\n' '#include <linux/irq.h>' '#include <linux/irqdesc.h>' '/* which the kernel does not export */' \
        'struct irq_desc *irq_to_desc(unsigned int irq)' \
        '{ struct irq_data *data = irq_get_irq_data(irq); return data ? irq_data_to_desc(data) : NULL; }' >"$mod/desc.c"
    printf '%s\n' 'obj-m := gpio-simulator.o v4l2loopback/' 'gpio-simulator-y := gpio-sim.o irq_sim.o desc.o' \
        'ccflags-y := -DCONFIG_IRQ_SIM' >"$mod/Kbuild"
    echo 'obj-m := v4l2loopback.o' >"$mod/v4l2loopback/Kbuild"
    local make=(make -s -j"$(nproc)" -C "$kernel/source" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- "O=$out"
        "LOCALVERSION=+${version#*+}") # a module is taken only by the kernel whose very name it bears
    "${make[@]}" olddefconfig && "${make[@]}" modules_prepare && "${make[@]}" "M=$mod" modules
    rm -rf "$board/modules" && mkdir "$board/modules"
    cp "$mod/gpio-simulator.ko" "$mod/v4l2loopback/v4l2loopback.ko" "$board/modules"
}

step_lgpio() { # as the package python3-lgpio of Raspberry Pi OS, which Debian has not
    local work=$board/kernel/lgpio headers=$board/kernel/usr/include
    rm -rf "$work" "$board/lgpio" && mkdir -p "$work" "$board/lgpio"
    unpack libpython3.13-dev
    cd "$work"
    python3 -m pip download -q --no-deps --no-binary lgpio lgpio==0.2.2.0
    tar -xzf lgpio-*.tar.gz --strip-components=1
    swig -python -o wrap.c lgpio.i
    aarch64-linux-gnu-gcc -O2 -fPIC -shared -pthread -w -Isrc -I"$headers/python3.13" -I"$headers" wrap.c src/lg*.c \
        src/rgpiod.c -o "$board/lgpio/_lgpio.cpython-313-aarch64-linux-gnu.so"
    cp lgpio.py "$board/lgpio"
}

step_wheels() { # all that pyproject.toml asks for there
    local platform platforms=()
    for platform in manylinux_2_{17,24,26,27,28,31,34,35,38,39}_aarch64 manylinux2014_aarch64; do
        platforms+=(--platform "$platform")
    done
    rm -rf "$board/wheels"
    "$here/../../.venv/bin/python" "$here/wanted.py" | xargs -d '\n' python3 -m pip download -q -d "$board/wheels" \
        --only-binary=:all: --implementation cp --python-version 3.13 "${platforms[@]}"
}

step_tree() { # the device tree of QEMU's machine, which says from now on that it is a Raspberry Pi
    local tree=$board/board.dtb names=()
    read -ra machine <"$here/machine"
    qemu-system-aarch64 "${machine[@]}" -M "dumpdtb=$tree" -nodefaults -display none
    mapfile -t names < <(printf 'GPIO%d\n' {0..57})
    node() { fdtput -c -p "$tree" "$1"; }
    fdtput -t s "$tree" / model 'Raspberry Pi 4 Model B Rev 1.5'
    node /system
    fdtput -t x "$tree" /system linux,revision c03115 # gpiozero asks for it: a 4B with 4 GB
    fdtput -t s "$tree" /pl061@9030000 status disabled # QEMU's own pins would be gpiochip0
    fdtput -t s "$tree" /gpio-keys status disabled
    node /gpio-sim/bank0
    fdtput -t s "$tree" /gpio-sim compatible gpio-simulator
    fdtput -t i "$tree" /gpio-sim/bank0 ngpios 58
    fdtput -t i "$tree" /gpio-sim/bank0 '#gpio-cells' 2
    fdtput "$tree" /gpio-sim/bank0 gpio-controller
    fdtput -t s "$tree" /gpio-sim/bank0 gpio-sim,label pinctrl-bcm2711
    fdtput -t s "$tree" /gpio-sim/bank0 gpio-line-names "${names[@]}"
}

step_disk() { # all of it as one file system
    local root=$board/root version unit
    version=$(version)
    install -D -t "$root/usr/lib/modules/$version/updates" "$board"/modules/*.ko
    depmod -b "$root" "$version"
    install -D -m 644 -t "$root/usr/lib/python3/dist-packages" "$board"/lgpio/*
    install -D -m 644 -t "$root/opt/wheels" "$board"/wheels/*
    install -D -m 644 -t "$root/opt/board" "$here"/guest/*.py
    install -D -m 644 -t "$root/etc/systemd/system" "$here"/guest/*.service
    mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
    ln -sf ../board-touch.service "$root/etc/systemd/system/multi-user.target.wants/"
    ln -sf /usr/lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
    for unit in serial-getty@ttyAMA0.service apt-daily.timer apt-daily-upgrade.timer; do # they only cost time here
        ln -sf /dev/null "$root/etc/systemd/system/$unit"
    done
    printf '%s\n' uinput snd-aloop v4l2loopback >"$root/etc/modules-load.d/board.conf"
    echo 'options v4l2loopback video_nr=0 card_label=Camera' >"$root/etc/modprobe.d/board.conf"
    # as Raspberry Pi OS has it
    echo 'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"' >"$root/etc/udev/rules.d/99-com.rules"
    grep -q '^gpio:' "$root/etc/group" || echo 'gpio:x:986:' >>"$root/etc/group"
    echo board >"$root/etc/hostname"
    echo LANG=de_DE.UTF-8 >"$root/etc/locale.conf"
    echo '/dev/vda / ext4 defaults,noatime 0 1' >"$root/etc/fstab"
    mkdir -p "$root/etc/systemd/system/tabletop-companion.service.d" # a first picture takes longer here
    printf '%s\n' '[Service]' TimeoutStartSec=900 >"$root/etc/systemd/system/tabletop-companion.service.d/slow.conf"
    echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
    touch -d '+1 minute' "$root/etc/.updated" "$root/var/.updated" # nothing is to be done because /usr is newer
    cp "$root/boot/vmlinuz-$version" "$board/vmlinuz"
    cp "$root/boot/initrd.img-$version" "$board/initrd"
    rm -f "$board/disk.img"
    truncate -s "$(($(du -xsm "$root" | cut -f 1) + 4096))M" "$board/disk.img"
    mke2fs -q -t ext4 -d "$root" "$board/disk.img"
}

# step NAME [INPUT...]: unless it has been done with this text and these inputs (steps or files)
step() {
    local name=$1 begun=$SECONDS key input status
    shift
    key=$({ declare -f "step_$name"; echo "${packages[@]} ${sources[@]}"
        for input; do cat "$board/done/$input" 2>/dev/null || cat "$input"; done; } | sha256sum)
    if [ "$(cat "$board/done/$name" 2>/dev/null)" = "$key" ]; then return; fi
    rm -f "$board/done/$name"
    set +e # in a condition bash would go on after an error, for all that is said inside
    (set -e; "step_$name") >"$board/log/$name" 2>&1 </dev/null
    status=$?
    set -e
    if [ $status != 0 ]; then
        tail -n 20 "$board/log/$name" >&2
        echo "$name: $board/log/$name" >&2
        exit 1
    fi
    echo "$key" >"$board/done/$name"
    printf '%5d s  %s\n' $((SECONDS - begun)) "$name"
}

mkdir -p "$board/done" "$board/log"
exec 9>"$board/lock"
flock -n 9 || { echo "another build.sh is at work in $board" >&2; exit 1; }
[ -x "$here/../../.venv/bin/python" ] || "$here/../../check" -k nothing_at_all
rm -f "$board/done/tools" # another machine may have the same cache
step tools
step root
step modules root
step lgpio root
step wheels "$here/wanted.py" "$here/../../pyproject.toml"
step tree "$here/machine"
step disk root modules lgpio wheels "$here"/guest/*
echo "The board is ready: $board"
