import { getRepositoryToken } from '@nestjs/typeorm';
import { OrgEntity, OrgRecipientEntity } from '../../people/org/org.entity.js';
import { repositoryToken } from './inject-repository.decorator.js';

describe('InjectRepository', () => {
  it.each([OrgEntity, OrgRecipientEntity])('asks for what TypeOrmModule.forFeature offers: %p', (entity) => {
    expect(repositoryToken(entity)).toBe(getRepositoryToken(entity));
  });
});
