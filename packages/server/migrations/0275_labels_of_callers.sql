-- What a caller calls itself in `X-Voucherify-Channel`, in the log of its requests (platform.md 11.7).
alter table api_requests add column label text;
