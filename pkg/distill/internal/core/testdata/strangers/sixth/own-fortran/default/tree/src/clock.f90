module clock
  implicit none
contains
  integer function wrap(m)
    integer, intent(in) :: m
    wrap = mod(m, 1400)
  end function
  integer function hours(m)
    integer, intent(in) :: m
    hours = m / 60
  end function
end module
