use strict; use warnings;
package Till::Test;
use base 'Test::Class';
use Test::More;
use Till;

sub adds_quantities : Test {
    is(Till->new->total({ cents => 100, n => 3 }), 300, 'three items');
}
sub gives_change : Test(2) {
    my $t = Till->new;
    is($t->change(10, 4), 6, 'of ten');
    is($t->change(4, 4), 0, 'of four');
}
sub wants_more : Test {
    is(Till->new->change(3, 4), 'more', 'too little');
}
Till::Test->runtests;
