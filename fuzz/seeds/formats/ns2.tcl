$node_(0) set X_ 0.25
$node_(0) set Y_ 0.25
$node_(0) set Z_ 0.25
$node_(1) set X_ 1.25
$node_(1) set Y_ 1.25
$node_(1) set Z_ 1.25
$node_(2) set X_ 2.25
$node_(2) set Y_ 2.25
$node_(2) set Z_ 2.25
$god_ set-dist 0 1 1
$ns_ at 0.5 "$node_(2) setdest 3.5 7.0 1.5"
$ns_ at 1.5 "$node_(2) set X_ 9.0"
