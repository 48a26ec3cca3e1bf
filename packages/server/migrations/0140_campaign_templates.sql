-- Templates of campaigns (vouchers-and-campaigns.md §17, ADR 70). They hold copies, so that nothing refers to what they were made of.
create table campaign_templates (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  name text not null,
  description text,
  campaign_type text not null check (campaign_type in ('DISCOUNT_COUPONS', 'GIFT_VOUCHERS')),
  -- Settings, rules, and what those name.
  content json not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create unique index campaign_templates_name on campaign_templates (project_id, name);
