# syntax=docker/dockerfile:1
# One image for all roles (PLUMBLINE_ROLES). It uses the PostgreSQL of DATABASE_URL, or its own under /data.
# Its content, and how to build the same image again: docs/guide/image.md.
ARG BASE=node:24.11.1-bookworm-slim
FROM ${BASE} AS build
# Unix seconds: all built files have the time of the commit.
ARG SOURCE_DATE_EPOCH
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
# The server never uses libs/evaluation; `plumbline bench` reports that it is missing. Source maps, types and the compiler
# are not needed (npm installs typescript for a plugin of @nestjs/swagger). scripts/image-content.mjs removes the same files.
RUN npm run build && npm run build:console && npm run build:docs && rm -r dist/libs/evaluation && npm run --silent sbom > sbom.json \
  && npm prune --omit=dev --no-audit --no-fund && rm -rf dist/.tsbuildinfo node_modules/typescript \
  && find dist node_modules -type f -regextype posix-extended -regex '.*\.((c|m)?[jt]s|css)\.map|.*\.d\.(c|m)?ts' -delete

FROM ${BASE}
ARG SOURCE=
ARG REVISION=
LABEL org.opencontainers.image.title="Plumbline" \
  org.opencontainers.image.description="Self-hosted anomaly detection for time-series metrics" \
  org.opencontainers.image.version="1.0.0" \
  org.opencontainers.image.source="${SOURCE}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production PLUMBLINE_DATA=/data PLUMBLINE_MANAGEMENT_HOST=0.0.0.0
WORKDIR /app
# The embedded database refuses to run as root, so nothing runs as root. The program still belongs to root: only /data is
# written to, and everything else may be read-only (docs/guide/kubernetes.md).
RUN mkdir -p /data && chown node:node /data && ln -s /app/bin/plumbline.mjs /usr/local/bin/plumbline
COPY --from=build /app/package.json /app/sbom.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
# The user `node` by its number, because Kubernetes cannot check whether a name is root.
USER 1000:1000
VOLUME /data
EXPOSE 3000 9091 2003
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9091/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/apps/cli/src/main.js"]
CMD ["serve"]
