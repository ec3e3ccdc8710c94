-- Sessions that a person purged, as a hash of agent and id: discovery passes over them.
CREATE TABLE purged_sessions (
    session TEXT COLLATE "C" PRIMARY KEY
);
