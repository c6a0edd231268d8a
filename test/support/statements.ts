import { type DataSource } from 'typeorm';

/** The SQL that `work` sends over a data source, in order. Whatever else uses the data source meanwhile is among it. */
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
