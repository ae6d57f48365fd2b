use Test2::V0;
use lib 'lib';
use Till;

is(Till->new->change(10, 4), 6, 'change of ten');
subtest totals => sub {
    is(Till->new->total(), 0, 'of none');
    is(Till->new->total({ cents => 100, n => 3 }), 300, 'of three items');
};
like(dies { Till->new->change(3, 4) }, qr/more please/, 'asks for more');
done_testing;
