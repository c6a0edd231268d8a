import { Inject, type Type } from '@nestjs/common';

/** What TypeOrmModule.forFeature offers the repository of an entity under. */
export const repositoryToken = (entity: Pick<Type, 'name'>): string => `${entity.name}Repository`;

/**
 * As the decorator of `@nestjs/typeorm`, for entities of the only connection. That package loads the Nest application,
 * which commands do without.
 */
export const InjectRepository = (entity: Type): ParameterDecorator => Inject(repositoryToken(entity));
