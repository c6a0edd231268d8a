import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../org/org.module.js';
import { PasswordService } from './password.service.js';
import { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UserService } from './user.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserEntity]), OrgModule],
  providers: [UserRepository, UserService, PasswordService],
  exports: [UserService, PasswordService],
})
export class UserModule {}
