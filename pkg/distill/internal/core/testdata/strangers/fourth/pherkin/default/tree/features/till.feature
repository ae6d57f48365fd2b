Feature: a till
  Scenario: change
    Given a till
    When I pay 10 for 4
    Then I get 6

  Scenario: three of a kind
    Given a till
    When I buy 3 for 100 each
    Then it costs 300
