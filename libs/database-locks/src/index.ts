/** An advisory lock of the product's database. */
export interface DatabaseLock {
  /**
   * The key, or the first of two keys. It is the same in every version, so processes of two versions respect each
   * other's locks.
   */
  readonly number: number;
  /** The work that only one holder may do; a process that waits for the lock reports it with this text. */
  readonly purpose: string;
}

/**
 * Every advisory lock of the product, in libs, apps and tests. PostgreSQL distinguishes locks with one key from those
 * with two, but their numbers differ here nevertheless. A number is never reused for another purpose.
 * test/architecture/advisory-locks.spec.ts checks that no other number is used.
 */
export const DATABASE_LOCKS = {
  // One key, held by a separate connection. The first lock is taken in the database `postgres`.
  dataFolder: { number: 0x706c_0000, purpose: 'owning the data folder of an embedded database' },
  migration: { number: 0x706c_0101, purpose: 'migrating the database' },
  applicationRights: { number: 0x706c_0102, purpose: 'granting the rights of the application role' },
  seriesMaintenance: { number: 0x706c_0103, purpose: 'folding, compacting and retiring stored points' },

  // One key, held until the end of a transaction.
  pointLogAppend: { number: 0x706c_0104, purpose: 'appending to the point log' },
  seriesWrite: { number: 0x706c_0105, purpose: 'closing the open table of recent points (writers share it)' },
  seriesRollups: { number: 0x706c_0106, purpose: 'writing roll-ups' },

  // Two keys: the second is the partition, the organisation, or 0.
  detectionPartition: { number: 0x706c_0001, purpose: 'detecting in a partition of the point log' },
  maintenanceRun: { number: 0x706c_0002, purpose: 'running the maintenance of stored points' },
  metricStates: { number: 0x706c_0003, purpose: 'refreshing which metrics are silent' },
  exclusionReapplication: { number: 0x706c_0004, purpose: 'applying exclusions to metrics' },
  demoFeed: { number: 0x706c_0005, purpose: 'feeding a demo organisation' },
  firstOrganisation: { number: 0x706c_0006, purpose: 'creating the first organisation' },
  orgErasure: { number: 0x706c_0012, purpose: 'erasing deleted organisations' },
  secretKeys: { number: 0x706c_0015, purpose: 'registering or changing secret keys' },
  billingReconciliation: { number: 0x706c_0016, purpose: 'asking the payment provider about all organisations' },
  demoOrgs: { number: 0x706c_0017, purpose: 'creating the demo organisations' },
  streamAppend: { number: 0x706c_0020, purpose: 'appending to the event stream of an organisation' },
  streamListeners: { number: 0x706c_0021, purpose: 'counting the listeners of an organisation' },
  incidents: { number: 0x706c_0022, purpose: 'grouping anomalies into incidents' },
  alertPlan: { number: 0x706c_0023, purpose: 'planning the alerts of an organisation' },
  alertUpkeep: { number: 0x706c_0024, purpose: 'sending summaries and adjusting the budgets of watchers' },
  adminAlerts: { number: 0x706c_0030, purpose: 'checking the admin alerts of organisations' },
  keyRotation: { number: 0x706c_0019, purpose: 'rotating secret keys' },

  // Tests only, in the database `postgres`.
  testTemplate: { number: 0x706c_00ff, purpose: 'making the migrated template of the tests' },
} as const satisfies Record<string, DatabaseLock>;
