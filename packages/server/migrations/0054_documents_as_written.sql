-- Documents that no statement looks into are kept as they were written: a catalogue is read at once beside a hundred thousand
-- promotions, and making text of them took PostgreSQL a third of that.
alter table validation_rules
  alter column rules type json using rules::json,
  alter column bundle_rules type json using bundle_rules::json,
  alter column applicable_to type json using applicable_to::json,
  alter column error type json using error::json;

alter table promotion_tiers alter column discount type json using discount::json;
