#!/bin/sh
test_description="greetings"
. /usr/share/sharness/sharness.sh
export PATH="$SHARNESS_TEST_DIRECTORY/../bin:$SHARNESS_TEST_DIRECTORY/bin:$PATH"
greet="$SHARNESS_TEST_DIRECTORY/bin/greet"

test_expect_success 'a name is greeted' '
	"$greet" Ann >out && grep Ann out
'
test_expect_success 'there is a comma' '
	echo "Hello, Ann" >want && "$greet" Ann >out && test_cmp want out
'
test_expect_failure 'two names are known not to work' '
	"$greet" Ann Bo | grep Bo
'
test_expect_success 'nobody is asked' '
	test_must_fail "$greet"
'
test_done
