Feature: Cart
  Scenario: half cents
    Given an empty cart
    When I add 3 teas
    Then the total is 8
