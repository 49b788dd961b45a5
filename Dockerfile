# One image for every role: docker run lamplighter bot | worker | all
# A tag moves; NODE_IMAGE=node:24-slim@sha256:… builds on the same image each time.
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts ./scripts
COPY generated ./generated
COPY src ./src
RUN npm run build

# The bundle needs nothing but Node: no node_modules, no npm, no sandbox.
FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
# For LAMPLIGHTER_AUDIT_DIR: a volume that is put here begins with this owner.
RUN install -d -m 0700 -o node -g node audit
USER node
# The answer says what is not well: docker inspect --format '{{json .State.Health}}' CONTAINER
ENV LAMPLIGHTER_OPS_PORT=9464
HEALTHCHECK --start-period=60s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.LAMPLIGHTER_OPS_PORT + '/readyz').then(async (it) => { console.log(await it.text()); process.exitCode = it.ok ? 0 : 1 })"]
STOPSIGNAL SIGTERM
# No signal opens the inspector.
ENTRYPOINT ["node", "--disable-sigusr1", "--disable-proto=delete", "dist/main.js"]
CMD ["all"]
