/*
 * replay.c - run a target on the files of its corpus, without libFuzzer; speaks TAP
 *
 * Each file is read into memory of exactly its size: the sanitizer builds see a byte too many.
 */
#include "config.h"

#include "fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>

static void replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	size_t size;

	if (!file || fstat(fileno(file), &st) < 0) {
		perror(path);
		exit(1);
	}
	size = (size_t)st.st_size;
	data = malloc(size > 0 ? size : 1);
	if (!data || fread(data, 1, size, file) != size) {
		perror(path);
		exit(1);
	}
	(void)fclose(file);
	(void)LLVMFuzzerTestOneInput(data, size);
	free(data);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Files in the order of their names. */
static unsigned replay_dir(const char *dir)
{
	struct dirent **list;
	const int n = scandir(dir, &list, visible, alphasort);

	if (n < 0) {
		perror(dir);
		exit(1);
	}
	for (int i = 0; i < n; i++) {
		char path[PATH_MAX];

		(void)snprintf(path, sizeof(path), "%s/%s", dir, list[i]->d_name);
		free(list[i]);
		/* what a crash leaves behind says which file it was */
		(void)fprintf(stderr, "# %s\n", path);
		replay(path);
	}
	free(list);
	return (unsigned)n;
}

int main(int argc, char **argv)
{
	unsigned n = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;

		if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode)) {
			n += replay_dir(argv[i]);
		} else {
			replay(argv[i]);
			n++;
		}
	}
	(void)printf("%u\n", n);
	return n > 0 ? 0 : 1;
}
