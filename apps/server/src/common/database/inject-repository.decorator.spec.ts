import { getRepositoryToken } from '@nestjs/typeorm';
import { OrgEntity, OrgRecipientEntity } from '../../people/org/org.entity.js';
import { repositoryToken } from './inject-repository.decorator.js';

describe('InjectRepository', () => {
  it.each([OrgEntity, OrgRecipientEntity])('uses the same token as TypeOrmModule.forFeature for %p', (entity) => {
    expect(repositoryToken(entity)).toBe(getRepositoryToken(entity));
  });
});
