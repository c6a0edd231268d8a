import { type DataSource } from 'typeorm';

/** The SQL that `work` sends over a data source, in order, including that of concurrent users of the data source. */
export async function statementsOf(dataSource: DataSource, work: () => Promise<unknown>): Promise<string[]> {
  const { logger } = dataSource;
  const { logQuery } = logger;
  const statements: string[] = [];
  logger.logQuery = (sql) => {
    statements.push(sql);
  };
  try {
    await work();
  } finally {
    logger.logQuery = logQuery;
  }
  return statements;
}
