-- What becomes of a transaction whose COMMIT gets no answer (ADR 16). Without project: the token is the transaction's, which may
-- serve several projects, and whoever asks knows nothing but the token.
create table transaction_tokens (
  token text collate "C" primary key,
  -- Written by whoever asked before the transaction committed: it cannot commit any more.
  is_void boolean not null
);
