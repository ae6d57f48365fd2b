package require tcltest
namespace import tcltest::*
source fold.tcl
test fold-1 "folds twice" { fold 8 } 2
test fold-2 "folds none" { fold 0 } 0
set bad [expr {$::tcltest::numTests(Failed) > 0}]
cleanupTests
exit $bad

