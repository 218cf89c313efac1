DROP TABLE colo_cost;
DROP TABLE cost_default;
DROP TABLE cloud_offer;
DROP TABLE price_observation;
DROP FUNCTION price_observation_append_only();
DROP TABLE price_subject;
