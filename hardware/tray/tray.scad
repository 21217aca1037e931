// The dice tray: a flat floor for the sheet with the markers, a wall that dice do not climb, and sockets for two
// round rods that carry a third one across, from which the camera hangs. Millimetres.
//
//   openscad -o tray.stl tray.scad                        the tray in one piece: 236 x 200
//   openscad -D 'part="half"' -o half.stl tray.scad       half of it: 118 x 183; print two, turn one round, glue
//   openscad -D 'part="clamp"' -o clamp.stl tray.scad     joins the bar to an upright rod; print two
//   openscad -D 'part="camera"' -o camera.stl tray.scad   hangs the camera from the bar
//
// The tray looks the same when it is turned by half a turn: so both halves are alike, and the middle of the bar is
// above the middle of the tray.

part = "whole";      // "whole", "half", "clamp", "camera", or "picture": all of it, to look at
inner = [230, 160];  // the floor, and the sheet that lies on it
height = 28;         // of the wall above the floor; dice of 16 mm that roll stay in
wall = 3;            // thickness of the wall
bottom = 2;          // thickness of the floor
corner = 8;          // radius of the inner corners, so that no die comes to lie cocked in one
rod = 12;            // diameter of the rods
play = 0.3;          // that a rod needs to be pushed in
around = 4;          // material around a rod
aside = 30;          // of a socket, from the middle of its side
pin = 1.75;          // pieces of filament that keep the halves in line while the glue dries

$fn = 48;
outer = [inner[0] + 2 * wall, inner[1] + 2 * wall];
thick = rod / 2 + around;

module rounded(size, r, high) {
    linear_extrude(high) offset(r) square([size[0] - 2 * r, size[1] - 2 * r], center = true);
}

// Closed below: the rod stands on it.
module socket() {
    translate([0, thick - wall, 0]) cylinder(r = thick, h = bottom + height);
    translate([-thick, -wall, 0]) cube([2 * thick, thick, bottom + height]);
}

module sockets(hole = false) {
    for (turn = [0, 180]) rotate(turn) translate([aside, outer[1] / 2, 0])
        if (hole) translate([0, thick - wall, bottom]) cylinder(d = rod + play, h = 500);
        else socket();
}

module whole() {
    difference() {
        union() {
            rounded(outer, corner + wall, bottom + height);
            sockets();
        }
        translate([0, 0, bottom]) rounded(inner, corner, height + 1);
        sockets(hole = true);
    }
}

// Across the cut, in the walls: two at each side, one above the other.
module pins() {
    for (y = [-1, 1], z = [0.3, 0.75])
        translate([0, y * (inner[1] + wall) / 2, bottom + z * height]) rotate([0, 90, 0])
            cylinder(d = pin + 0.2, h = 16, center = true, $fn = 16);
}

module half() {
    difference() {
        intersection() {
            whole();
            translate([0, -500, -1]) cube([500, 1000, 200]);
        }
        pins();
    }
}

// The upright rod comes in from below, the bar goes through above it.
module clamp() {
    difference() {
        translate([-thick, -thick, 0]) cube([2 * thick, 2 * thick, 2 * thick + 20]);
        translate([0, 0, -1]) cylinder(d = rod + play, h = 19);
        translate([0, 0, 20 + thick]) rotate([0, 90, 0]) cylinder(d = rod + play, h = 100, center = true);
    }
}

// A sleeve on the bar and a plate below it: four holes for a Raspberry Pi camera (M2, 21 x 12.5), one for the
// quarter-inch screw of others. It is printed standing on its side.
module camera() {
    difference() {
        union() {
            rotate([0, 90, 0]) cylinder(r = thick, h = 30, center = true);
            translate([-15, -24, -thick - 4]) cube([30, 54, 5]);
            translate([-15, -thick, -thick]) cube([30, 2 * thick, thick]);
        }
        rotate([0, 90, 0]) cylinder(d = rod + play, h = 100, center = true);
        for (x = [-10.5, 10.5], y = [12.5, 25]) translate([x, y, -thick - 5]) cylinder(d = 2.2, h = 60, $fn = 16);
        translate([0, -17, -thick - 5]) cylinder(d = 6.6, h = 60);
    }
}

module picture() {
    up = 330;
    whole();
    color("LightSteelBlue") translate([0, 0, bottom]) rounded(inner, corner, 0.3);
    turn = atan2(outer[1] / 2 + thick - wall, aside);
    for (side = [0, 180]) rotate(side) translate([aside, outer[1] / 2 + thick - wall, bottom]) {
        color("BurlyWood") cylinder(d = rod, h = up);
        translate([0, 0, up - 18]) rotate(turn) clamp();
    }
    translate([0, 0, bottom + up + 2 + thick]) rotate(turn) {
        color("BurlyWood") rotate([0, 90, 0]) cylinder(d = rod, h = 260, center = true);
        camera();
        color("DarkGreen") translate([-12.5, 7, -thick - 6]) cube([25, 24, 1.5]);
        color("Black") translate([0, 17, -thick - 10]) cylinder(d = 8, h = 4);
    }
}

if (part == "half") half();
else if (part == "clamp") clamp();
else if (part == "camera") rotate([0, 90, 0]) camera();
else if (part == "picture") picture();
else whole();
