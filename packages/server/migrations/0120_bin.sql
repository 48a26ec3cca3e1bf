-- The bin (vouchers-and-campaigns.md §19): what was deleted and keeps its name. An entry goes with what it is of, however that is
-- deleted for good; what went into the bin with its campaign or product has none of its own.
create table bin_entries (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  resource_type text not null check (resource_type in ('campaign', 'product', 'sku', 'voucher')),
  resource_id text collate "C" not null,
  resource_name text not null,
  resource_parent_id text collate "C",
  created_at timestamptz not null,
  campaign_id text collate "C" generated always as (case resource_type when 'campaign' then resource_id end) stored,
  product_id text collate "C" generated always as (case resource_type when 'product' then resource_id end) stored,
  sku_id text collate "C" generated always as (case resource_type when 'sku' then resource_id end) stored,
  voucher_id text collate "C" generated always as (case resource_type when 'voucher' then resource_id end) stored,
  primary key (project_id, id),
  foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade,
  foreign key (project_id, product_id) references products (project_id, id) on delete cascade,
  foreign key (project_id, sku_id) references skus (project_id, id) on delete cascade,
  foreign key (project_id, voucher_id) references vouchers (project_id, id) on delete cascade
);
create unique index bin_entries_campaign on bin_entries (project_id, campaign_id) where campaign_id is not null;
create unique index bin_entries_product on bin_entries (project_id, product_id) where product_id is not null;
create unique index bin_entries_sku on bin_entries (project_id, sku_id) where sku_id is not null;
create unique index bin_entries_voucher on bin_entries (project_id, voucher_id) where voucher_id is not null;

-- What is in the bin already. An id is made as the service makes one, of the moment in microseconds and of chance.
insert into bin_entries (project_id, id, resource_type, resource_id, resource_name, resource_parent_id, created_at)
select binned.project_id,
       'tbe_' || (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
                                           ((binned.microseconds >> (5 * (10 - place))) & 31)::int + 1, 1), '' order by place)
                    from generate_series(0, 10) as place)
              || substr(md5(random()::text || binned.resource_id), 1, 16),
       binned.resource_type, binned.resource_id, binned.resource_name, binned.resource_parent_id, binned.deleted_at
  from (
    select found.*, (date_part('epoch', found.deleted_at) * 1000)::bigint * 1000 as microseconds
      from (
        select campaigns.project_id, 'campaign' as resource_type, campaigns.id as resource_id,
               campaigns.name as resource_name, null as resource_parent_id, campaigns.deleted_at
          from campaigns where campaigns.deleted_at is not null
        union all
        select products.project_id, 'product', products.id, coalesce(products.name, products.source_id, products.id), null,
               products.deleted_at
          from products where products.deleted_at is not null
        union all
        select skus.project_id, 'sku', skus.id, coalesce(skus.sku, skus.source_id, skus.id), skus.product_id, skus.deleted_at
          from skus
          join products on products.project_id = skus.project_id and products.id = skus.product_id
         where skus.deleted_at is not null and (products.deleted_at is null or skus.deleted_at < products.deleted_at)
        union all
        select vouchers.project_id, 'voucher', vouchers.id, vouchers.code, vouchers.campaign_id, vouchers.deleted_at
          from vouchers
          left join campaigns on campaigns.project_id = vouchers.project_id and campaigns.id = vouchers.campaign_id
         where vouchers.deleted_at is not null
           and (campaigns.deleted_at is null or vouchers.deleted_at < campaigns.deleted_at)
      ) as found
  ) as binned;
