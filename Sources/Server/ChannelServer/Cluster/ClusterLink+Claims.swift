extension ClusterLink {
  /// Decides between logins of the same uids at several servers. Redis does one at a time, so what it decides is so for all.
  ///
  /// A login has a number: the microseconds since 1970 at which Redis heard of it, or one more than that of the login before, so
  /// that numbers rise whatever the clock does. One that Redis did not hear of at once, since it could not be reached, is given
  /// the number that it would have got then. The highest number stands, and the server where another was is told.
  ///
  /// KEYS are the users', ARGV this server, how long keys live, the prefix of servers' channels, and for each user the uid, the
  /// number that the login has, or 0, and its age. Answers the numbers, 0 where a newer login stands.
  static let claimScript = """
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local numbers = {}
    for index, key in ipairs(KEYS) do
      local uid = ARGV[3 * index + 1]
      local number, age = tonumber(ARGV[3 * index + 2]), tonumber(ARGV[3 * index + 3])
      local known, server = 0, nil
      local value = redis.call('GET', key)
      if value then known, server = string.match(value, '^(%d+) (%S+)$') end
      known = tonumber(known) or 0
      if number == 0 then
        number = now - age
        if age == 0 or server == ARGV[1] then number = math.max(number, known + 1) end
      end
      if server and server ~= ARGV[1] and known >= number then
        numbers[index] = 0
      else
        local digits = string.format('%.0f', number)
        redis.call('SET', key, digits .. ' ' .. ARGV[1], 'EX', ARGV[2])
        if server and server ~= ARGV[1] then
          redis.call('PUBLISH', ARGV[3] .. server, '{"type":"taken","uid":' .. uid .. ',"number":' .. digits .. '}')
        end
        numbers[index] = number
      end
    end
    return numbers
    """
}
