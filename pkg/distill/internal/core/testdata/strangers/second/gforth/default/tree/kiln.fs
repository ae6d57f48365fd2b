: heat ( m -- h ) 9 * ;
