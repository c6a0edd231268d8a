import { Inject, type Type } from '@nestjs/common';

/** Token under which TypeOrmModule.forFeature provides the repository of an entity. */
export const repositoryToken = (entity: Pick<Type, 'name'>): string => `${entity.name}Repository`;

/**
 * As the decorator of `@nestjs/typeorm`, for entities of the only connection. That package loads the Nest application,
 * which commands do without.
 */
export const InjectRepository = (entity: Type): ParameterDecorator => Inject(repositoryToken(entity));
