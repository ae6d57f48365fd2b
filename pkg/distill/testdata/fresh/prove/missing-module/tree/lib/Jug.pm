package Jug;
use strict;
use No::Such::Thing;
sub fill { 1 }
1;
