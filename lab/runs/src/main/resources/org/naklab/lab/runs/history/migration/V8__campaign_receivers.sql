-- What each receiver of a seed had to recover: JSON.
ALTER TABLE campaign_trial ADD COLUMN receivers TEXT NOT NULL DEFAULT '[]';
