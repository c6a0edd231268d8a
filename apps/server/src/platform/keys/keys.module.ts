import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { KeyRegisterService } from './key-register.service.js';
import { KeyRotationService } from './key-rotation.service.js';
import { KeysRepository } from './keys.repository.js';
import { SecretKeyEntity } from './secret-key.entity.js';

/** The secret keys of the installation: which keys are needed, and their rotation. */
@Module({
  imports: [TypeOrmModule.forFeature([SecretKeyEntity]), AuditModule],
  providers: [KeysRepository, KeyRegisterService, KeyRotationService],
  exports: [KeyRegisterService, KeyRotationService],
})
export class KeysModule {}
