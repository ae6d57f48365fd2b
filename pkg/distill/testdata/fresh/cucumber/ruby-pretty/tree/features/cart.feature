Feature: Cart
  Scenario: empty
    Given a cart
    Then the total is 0

  Scenario: half cents
    Given a cart
    When I add 3 teas
    Then the total is 8
