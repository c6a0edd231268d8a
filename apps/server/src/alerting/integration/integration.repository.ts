import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { idFor } from '../../common/database/dry-run.js';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { IntegrationEntity } from './integration.entity.js';

/** Accuracy of the time of the last success. */
const OUTCOME_SECONDS = 60;

/** The columns that a change of settings writes. */
export type StoredSettings = Pick<IntegrationEntity, 'values' | 'secretsSealed'>;

@Injectable()
export class IntegrationRepository {
  constructor(@InjectRepository(IntegrationEntity) private readonly rows: Repository<IntegrationEntity>) {}

  private in(tx?: Tx): Repository<IntegrationEntity> {
    return tx ? tx.getRepository(IntegrationEntity) : this.rows;
  }

  find(orgId: number, serviceId: string, tx?: Tx): Promise<IntegrationEntity | null> {
    return this.in(tx).findOneBy({ orgId, serviceId });
  }

  listAll(orgId: number): Promise<IntegrationEntity[]> {
    return this.rows.findBy({ orgId });
  }

  async save(orgId: number, serviceId: string, settings: StoredSettings, tx: Tx): Promise<void> {
    await this.in(tx).upsert({ orgId, serviceId, ...settings, ...idFor(tx) }, ['orgId', 'serviceId']);
  }

  /** `error`: null if the service has accepted the message. Several outcomes within a minute are written once. */
  async noteOutcome(orgId: number, serviceId: string, at: Date, error: string | null): Promise<void> {
    await this.rows.query(
      `INSERT INTO integration (org_id, service_id, last_ok_at, last_error)
       VALUES ($1, $2, CASE WHEN $4::text IS NULL THEN $3::timestamptz END, $4)
       ON CONFLICT (org_id, service_id) DO UPDATE
         SET last_ok_at = coalesce(EXCLUDED.last_ok_at, integration.last_ok_at), last_error = EXCLUDED.last_error
         WHERE integration.last_error IS DISTINCT FROM EXCLUDED.last_error
            OR EXCLUDED.last_ok_at > coalesce(integration.last_ok_at, '-infinity') + make_interval(secs => $5)`,
      [orgId, serviceId, at, error, OUTCOME_SECONDS],
    );
  }

  /** Services that were the first to send points of existing metrics. */
  async sourcesOf(orgId: number): Promise<string[]> {
    const rows = await this.rows.query<{ source: string }[]>(
      'SELECT DISTINCT source FROM metric_search WHERE org_id = $1',
      [orgId],
    );
    return rows.map(({ source }) => source);
  }

  /** Settings of all organisations for some services: for processes that keep them in memory. */
  listOfEveryOrg(serviceIds: readonly string[]): Promise<Pick<IntegrationEntity, 'orgId' | 'serviceId' | 'values'>[]> {
    return this.rows.query(
      `SELECT org_id AS "orgId", service_id AS "serviceId", "values" FROM integration WHERE service_id = ANY($1)`,
      [serviceIds],
    );
  }
}
