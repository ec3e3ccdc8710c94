-- One row for each writer: how many of its transactions may have given a sync work, and the number of the last one. By
-- that number a writer whose connection broke during a commit learns whether it succeeded.
CREATE TABLE writers (
    writer BIGINT PRIMARY KEY,
    made BIGINT NOT NULL,
    number BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now()
) WITH (fillfactor = 20);
INSERT INTO writers (writer, made, number) SELECT 0, sum(made), 0 FROM change_slots;
DROP TABLE change_slots;

-- Its statement is planned once in a connection. A transaction that changed nothing leaves no row.
CREATE FUNCTION note_writer(its_writer BIGINT, its_made BIGINT, its_number BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF pg_current_xact_id_if_assigned() IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO writers (writer, made, number) VALUES (its_writer, its_made, its_number)
        ON CONFLICT (writer) DO UPDATE
            SET made = writers.made + excluded.made, number = excluded.number, at = excluded.at;
END $$;
