use Test::More;
use Test::BDD::Cucumber::StepFile;
use lib 'lib';
use Till;

Given 'a till' => sub { S->{till} = Till->new };
When qr/I pay (\d+) for (\d+)/ => sub { S->{out} = S->{till}->change($1, $2) };
Then qr/I get (\d+)/ => sub { is(S->{out}, $1, 'the change') };
When qr/I buy (\d+) for (\d+) each/ => sub { S->{out} = S->{till}->total({ cents => $2, n => $1 }) };
Then qr/it costs (\d+)/ => sub { is(S->{out}, $1, 'the price') };
