Feature: Lamp
  Scenario: turns on
    Given a lamp
    Then it is on
