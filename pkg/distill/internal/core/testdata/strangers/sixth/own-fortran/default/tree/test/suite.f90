program suite
  use clock
  implicit none
  integer :: bad = 0, n = 0
  call check("noon is 12 hours", hours(720), 12)
  call check("a day wraps to zero", wrap(1440), 0)
  call check("one minute past midnight", wrap(1441), 1)
  call check("morning stays", wrap(480), 480)
  print '(A,I0,A,I0)', " Tests run: ", n, "  Tests failing: ", bad
  if (bad > 0) error stop 1
contains
  subroutine check(name, have, want)
    character(*), intent(in) :: name
    integer, intent(in) :: have, want
    n = n + 1
    if (have == want) then
      print '(1X,A,I0,A,A)', "Test #", n, " [ PASS ] ", name
    else
      print '(1X,A,I0,A,A)', "Test #", n, " [*FAIL*] ", name
      print '(10X,A,I0,A,I0)', "expected ", want, " but found ", have
      bad = bad + 1
    end if
  end subroutine
end program
