import { Logger } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn, QueryFailedError } from 'typeorm';
import { createEmptyDatabase } from '../../../../../test/support/database.js';
import { connectionOptions } from './connection.js';
import { afterCommit, sqlState, Transactions, type Tx } from './transactions.js';

@Entity('account')
class Account {
  @PrimaryColumn('integer', { name: 'id' })
  id!: number;

  @Column('integer', { name: 'amount' })
  amount!: number;
}

describe('Transactions', () => {
  let drop: () => Promise<void>;
  let dataSource: DataSource;
  let transactions: Transactions;

  beforeAll(async () => {
    const database = await createEmptyDatabase();
    drop = database.drop;
    dataSource = new DataSource({ ...connectionOptions(database.url), entities: [Account] });
    await dataSource.initialize();
    transactions = new Transactions(dataSource);
    await dataSource.query('CREATE TABLE account (id integer PRIMARY KEY, amount integer NOT NULL)');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await drop();
  });

  beforeEach(() => dataSource.query('TRUNCATE account'));
  beforeEach(() => dataSource.query('INSERT INTO account VALUES (1, 100), (2, 100)'));

  const add = (tx: Tx, id: number, amount: number) => tx.getRepository(Account).increment({ id }, 'amount', amount);
  const amounts = async (): Promise<number[]> => {
    const accounts = await dataSource.getRepository(Account).find({ order: { id: 'ASC' } });
    return accounts.map(({ amount }) => amount);
  };

  it('commit the changes and return the result of the work', async () => {
    const answer = await transactions.run(async (tx) => {
      await add(tx, 1, -10);
      await add(tx, 2, 10);
      return 'moved';
    });

    expect(answer).toBe('moved');
    expect(await amounts()).toEqual([90, 110]);
  });

  it('roll back when the work fails, and throw its error', async () => {
    const failing = transactions.run(async (tx) => {
      await add(tx, 1, -10);
      throw new Error('changed my mind');
    });

    await expect(failing).rejects.toThrow('changed my mind');
    expect(await amounts()).toEqual([100, 100]);
  });

  it('are repeated as a whole after a deadlock, so that both sides succeed', async () => {
    let runs = 0;
    let waiting = 2;
    let release: () => void = () => undefined;
    const bothHoldOne = new Promise<void>((resolve) => {
      release = resolve;
    });
    /** The first time, each side locks its first row before either locks its second: a certain deadlock. */
    const move = (from: number, to: number) =>
      transactions.run(async (tx) => {
        runs++;
        await add(tx, from, -10);
        if (--waiting === 0) release();
        await bothHoldOne;
        await add(tx, to, 10);
      });

    await Promise.all([move(1, 2), move(2, 1)]);

    expect(runs).toBe(3);
    expect(await amounts()).toEqual([100, 100]);
  });

  it('are not repeated when the work fails for another reason', async () => {
    let runs = 0;
    const failing = transactions.run(async (tx) => {
      runs++;
      await tx.getRepository(Account).insert({ id: 1, amount: 0 });
    });

    const error: unknown = await failing.catch((reason: unknown) => reason);

    expect(runs).toBe(1);
    expect(sqlState(error)).toBe('23505');
  });

  it('fail after the given number of attempts', async () => {
    let runs = 0;
    const failing = transactions.run(async (tx) => {
      runs++;
      await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
    }, 2);

    await expect(failing).rejects.toThrow(QueryFailedError);
    expect(runs).toBe(2);
  });

  it('return their connection to the pool after success and failure', async () => {
    const many = Array.from({ length: 30 }, (_, i) =>
      transactions
        .run(async (tx) => {
          await add(tx, 1, 1);
          if (i % 2 === 0) throw new Error('no');
        })
        .catch(() => undefined),
    );
    await Promise.all(many);

    expect(await amounts()).toEqual([115, 100]);
  });

  describe('afterCommit', () => {
    it('runs the callbacks in order after the commit and before the result is returned', async () => {
      const seen: (number | string)[] = [];
      await transactions.run(async (tx) => {
        afterCommit(tx, async () => {
          seen.push((await amounts())[0]!);
        });
        afterCommit(tx, () => {
          seen.push('second');
        });
        await add(tx, 1, -10);
        seen.push('work');
      });
      expect(seen).toEqual(['work', 90, 'second']);
    });

    it('runs no callback after a rollback', async () => {
      const published = jest.fn();
      const failing = transactions.run(async (tx) => {
        await add(tx, 1, -10);
        afterCommit(tx, published);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(published).not.toHaveBeenCalled();
    });

    it('runs no callback when the commit itself fails', async () => {
      await dataSource.query('CREATE TABLE reference (id integer REFERENCES account DEFERRABLE INITIALLY DEFERRED)');
      const published = jest.fn();
      const failing = transactions.run(async (tx) => {
        await tx.query('INSERT INTO reference VALUES (99)');
        afterCommit(tx, published);
      });
      expect(sqlState(await failing.catch((error: unknown) => error))).toBe('23503');
      expect(published).not.toHaveBeenCalled();
      await dataSource.query('DROP TABLE reference');
    });

    it('runs only the callbacks of the last attempt when a transaction is repeated', async () => {
      const published: number[] = [];
      let attempt = 0;
      await transactions.run(async (tx) => {
        const mine = ++attempt;
        afterCommit(tx, () => {
          published.push(mine);
        });
        if (mine < 3) await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
      });
      expect(published).toEqual([3]);
    });

    it('runs a callback after the commit of the given transaction, also with nested transactions', async () => {
      const published: string[] = [];
      const note = (text: string) => () => {
        published.push(text);
      };
      const failing = transactions.run(async (outer) => {
        afterCommit(outer, note('outer'));
        await transactions.run(async (inner) => {
          await add(inner, 2, 1);
          afterCommit(outer, note('outer, from within'));
          afterCommit(inner, note('inner'));
        });
        expect(published).toEqual(['inner']);
        throw new Error('only the outer one');
      });
      await expect(failing).rejects.toThrow('only the outer one');
      expect(published).toEqual(['inner']);
      expect(await amounts()).toEqual([100, 101]);
    });

    it('allows a callback to open its own transaction', async () => {
      await transactions.run((tx) => {
        afterCommit(tx, () => transactions.run(async (next) => void (await add(next, 1, 5))));
        return Promise.resolve();
      });
      expect(await amounts()).toEqual([105, 100]);
    });

    it('logs a failing callback, and still runs the next one and returns the result', async () => {
      const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
      const published = jest.fn();
      const answer = await transactions.run(async (tx) => {
        afterCommit(tx, () => Promise.reject(new Error('no listener')));
        afterCommit(tx, published);
        await add(tx, 1, -10);
        return 'done';
      });
      expect(answer).toBe('done');
      expect(published).toHaveBeenCalledTimes(1);
      expect(logged).toHaveBeenCalledTimes(1);
      expect(await amounts()).toEqual([90, 100]);
    });

    it('throws for a transaction that has ended', async () => {
      const over = await transactions.run((tx) => Promise.resolve(tx));
      expect(() => afterCommit(over, () => undefined)).toThrow('Transactions.run');
    });
  });
});

describe('a connection of the product', () => {
  let drop: () => Promise<void>;
  let dataSource: DataSource;

  beforeAll(async () => {
    const database = await createEmptyDatabase();
    drop = database.drop;
    dataSource = new DataSource({ ...connectionOptions(database.url), entities: [Account] });
    await dataSource.initialize();
    await dataSource.query('CREATE TABLE account (id integer PRIMARY KEY, amount integer NOT NULL)');
    await dataSource.query('INSERT INTO account VALUES (1, 100)');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await drop();
  });

  it('rejects undefined and null in a condition instead of dropping the condition', async () => {
    const accounts = dataSource.getRepository(Account);
    const unsaved = {} as { id: number };
    const nothing = { id: null } as unknown as { id: number };

    await expect(accounts.findOneBy({ id: unsaved.id })).rejects.toThrow(/undefined/i);
    await expect(accounts.findOne({ where: nothing })).rejects.toThrow(/null/i);
  });

  it('has time limits for statements, locks and idle transactions', async () => {
    const setting = (name: string): Promise<unknown> => dataSource.query(`SHOW ${name}`);

    expect(await setting('statement_timeout')).toEqual([{ statement_timeout: '30s' }]);
    expect(await setting('lock_timeout')).toEqual([{ lock_timeout: '10s' }]);
    expect(await setting('idle_in_transaction_session_timeout')).toEqual([
      { idle_in_transaction_session_timeout: '1min' },
    ]);
  });

  it('is closed by the server 11 s after the host of the process disappears, also during an answer', async () => {
    const [settings] = await dataSource.query<unknown[]>(
      `SELECT current_setting('tcp_keepalives_idle') AS idle, current_setting('tcp_keepalives_interval') AS every,
              current_setting('tcp_keepalives_count') AS count, current_setting('tcp_user_timeout') AS answer`,
    );
    expect(settings).toEqual({ idle: '5', every: '2', count: '3', answer: '11000' });
  });
});
