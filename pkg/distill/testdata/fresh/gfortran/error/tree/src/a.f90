program a
  implicit none
  integer :: i
  i = j + 1
end program
