import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { connectionOptions } from './connection.js';
import { type DatabaseConfig } from './database.config.js';
import { repositoryToken } from './inject-repository.decorator.js';

/** A connection with the entities that are imported by now, for a process without the Nest application. */
export class EntityConnection {
  private constructor(private readonly dataSource: DataSource) {}

  /** `url`: a database that has been opened (openDatabase). */
  static async open(url: string, config: DatabaseConfig): Promise<EntityConnection> {
    const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
    const dataSource = new DataSource({ ...connectionOptions(url, config), entities });
    return new EntityConnection(await dataSource.initialize());
  }

  /**
   * The dependencies of services and repositories, as TypeOrmModule provides them: the connection and a repository per
   * entity.
   */
  provisions(): [unknown, unknown][] {
    const { dataSource } = this;
    return [
      [DataSource, dataSource],
      ...dataSource.entityMetadatas.map(({ name, target }): [unknown, unknown] => [
        repositoryToken({ name }),
        dataSource.getRepository(target),
      ]),
    ];
  }

  query(sql: string): Promise<unknown> {
    return this.dataSource.query(sql);
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }
}
