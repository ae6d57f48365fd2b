Feature: cups
  Scenario: stack
    Given 3 cups
    Then the stack is 6 high
  Scenario: none
    Given 0 cups
    Then the stack is 0 high
