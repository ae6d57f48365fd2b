Feature: boarding

  Scenario: room for one
    Given a ferry for 2 cars
    When 1 cars board
    Then nobody is sent away

  Scenario: full ferry
    Given a ferry for 2 cars
    When 3 cars board
    Then 1 cars are sent away

  Scenario: dogs
    Given a ferry for 2 cars
    When a dog boards
