Feature: Cart
  The sum of a cart.

  Scenario: an empty cart
    Given an empty cart
    Then the total is 0

  Scenario: half cents
    Given an empty cart
    When I add 3 teas of 2.5
    Then the total is 8
