DROP TABLE company;
