DROP TABLE unit, reservation, stock_move, purchase_order_line, purchase_order, stock, location;
DROP FUNCTION stock_by_moves_only, reservation_check, stock_apply_move, stock_reserved, stock_append_only;
